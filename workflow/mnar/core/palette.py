"""Colours and markers of figures, for methods and measures alike."""

# Okabe and Ito's colours, safe for the colour-blind; a marker tells apart what shares a colour.
BLUE, ORANGE, GREEN, RED = "#0072B2", "#E69F00", "#009E73", "#D55E00"
PURPLE, SKY, OLIVE, BLACK, GREY = "#CC79A7", "#56B4E9", "#999933", "#000000", "#8A8A8A"

# The names that a config may use.
COLOURS = {
    "blue": BLUE,
    "orange": ORANGE,
    "green": GREEN,
    "red": RED,
    "purple": PURPLE,
    "sky": SKY,
    "olive": OLIVE,
    "black": BLACK,
    "grey": GREY,
}
