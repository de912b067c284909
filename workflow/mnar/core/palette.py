"""Colours and markers of figures, for methods and measures alike."""

# Okabe and Ito's colours, safe for the colour-blind.
BLUE, ORANGE, GREEN, RED = "#0072B2", "#E69F00", "#009E73", "#D55E00"
PURPLE, SKY, OLIVE, BLACK, GREY = "#CC79A7", "#56B4E9", "#999933", "#000000", "#8A8A8A"
# More of them, so that no two methods of a study share one; markers differ, too.
INDIGO, WINE, BROWN, TAN, TEAL = "#332288", "#882255", "#8C510A", "#BF9A5A", "#2B8C8C"
ROSE, MAROON, CRIMSON, NAVY, MAGENTA = "#D6616B", "#661100", "#A50026", "#1F3A93", "#9E3D9E"
SLATE, DARK, LIGHT = "#6F87A8", "#555555", "#ADADAD"
# For methods that come from elsewhere: none of the project has them.
OTHERS = ("#E7298A", "#5E9F1A", "#00A5B5", "#7B4DFF", "#B8860B")

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
