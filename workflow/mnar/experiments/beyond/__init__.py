"""What others state about evaluation on ratings that users chose: claims alone, decided by trust."""
