# An image with everything installed and compiled, from Debian and PyPI by name:
#     docker build -t mnar .
#     docker run --rm -v "$PWD/results:/mnar/results" mnar
# `make test-container` runs these steps without Docker, in a fresh Debian folder.
FROM debian:bookworm-slim
RUN apt-get update && apt-get install -y --no-install-recommends make python3 python3-venv && rm -rf /var/lib/apt/lists/*
WORKDIR /mnar
COPY . .
RUN make setup
CMD ["make"]
