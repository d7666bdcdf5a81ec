# Called by tools/subset-fonts.sh with a font (TTF, still with all its variations) and the file to write:
# - A plain zero for running text; the typeface's own, slashed one is the feature `zero`, for codes.
# - U+2010 and U+2011 (hyphen, hyphen that does not break) look as the hyphen.
import sys
from array import array
from copy import deepcopy

from fontTools.otlLib.builder import buildLookup, buildSingleSubstSubtable
from fontTools.ttLib import TTFont
from fontTools.ttLib.tables import otTables

SLASHED = "zero.slash"
OFF_CURVE = 0


def meeting(before, a, b, after):
    """Where the curve that ends in `a` and the one that begins in `b` meet when both go on straight: the control point between."""
    (ux, uy), (vx, vy) = (a[0] - before[0], a[1] - before[1]), (b[0] - after[0], b[1] - after[1])
    along = ((b[0] - a[0]) * vy - (b[1] - a[1]) * vx) / (ux * vy - uy * vx)
    return (round(a[0] + along * ux), round(a[1] + along * uy))


def plain_zero(font):
    """The slash cuts the zero's counter into two halves: they are joined, with a point where each cut was."""
    glyphs, variations, metrics = font["glyf"], font["gvar"].variations, font["hmtx"]
    font.setGlyphOrder([*font.getGlyphOrder(), SLASHED])
    glyphs[SLASHED] = deepcopy(glyphs["zero"])
    variations[SLASHED] = deepcopy(variations["zero"])
    metrics[SLASHED] = metrics["zero"]
    if "HVAR" in font and font["HVAR"].table.AdvWidthMap:
        widths = font["HVAR"].table.AdvWidthMap.mapping
        widths[SLASHED] = widths["zero"]

    zero = glyphs["zero"]
    assert zero.numberOfContours == 3, "the zero is drawn differently now: look at it"
    ends = zero.endPtsOfContours
    lower, upper = list(range(ends[0] + 1, ends[1] + 1)), list(range(ends[1] + 1, ends[2] + 1))
    # The cut goes from the lower half's 4th to its 5th point, and from the upper half's 1st to its 2nd.
    right, left = (*lower[2:4], *upper[1:3]), (upper[-1], upper[0], *lower[4:6])
    joined = [*lower[:4], right, *upper[1:], upper[0], left, *lower[4:]]
    order = [*range(ends[0] + 1), *joined]

    def place(points):
        return [meeting(*(points[n] for n in one)) if isinstance(one, tuple) else points[one] for one in order]

    points = [tuple(point) for point in zero.coordinates]
    plain = place(points)
    # Each drawn weight has one tuple with the differences of its points.
    for variation in variations["zero"]:
        drawn = [(x + dx, y + dy) for (x, y), (dx, dy) in zip(points, variation.coordinates)]
        moved = [(x - px, y - py) for (x, y), (px, py) in zip(place(drawn), plain)]
        # The last four coordinates are the metrics.
        variation.coordinates = moved + variation.coordinates[-4:]
    zero.coordinates = type(zero.coordinates)(plain)
    zero.flags = array("B", [OFF_CURVE if isinstance(one, tuple) else zero.flags[one] for one in order])
    zero.endPtsOfContours = [ends[0], len(order) - 1]
    zero.numberOfContours = 2


def slashed_zero_feature(font):
    table = font["GSUB"].table
    table.LookupList.Lookup.append(buildLookup([buildSingleSubstSubtable({"zero": SLASHED, "zero.tf": SLASHED})]))
    table.LookupList.LookupCount = len(table.LookupList.Lookup)
    record = otTables.FeatureRecord()
    record.FeatureTag = "zero"
    record.Feature = otTables.Feature()
    record.Feature.FeatureParams = None
    record.Feature.LookupListIndex = [table.LookupList.LookupCount - 1]
    record.Feature.LookupCount = 1
    # Features are sorted by name; this one is the last.
    table.FeatureList.FeatureRecord.append(record)
    table.FeatureList.FeatureCount = len(table.FeatureList.FeatureRecord)
    for script in table.ScriptList.ScriptRecord:
        systems = [script.Script.DefaultLangSys, *(one.LangSys for one in script.Script.LangSysRecord)]
        for system in filter(None, systems):
            system.FeatureIndex.append(table.FeatureList.FeatureCount - 1)
            system.FeatureCount = len(system.FeatureIndex)


font = TTFont(sys.argv[1])
if font["glyf"]["zero"].numberOfContours == 3:
    plain_zero(font)
    slashed_zero_feature(font)
for table in font["cmap"].tables:
    if table.isUnicode():
        table.cmap.update({0x2010: table.cmap[0x2D], 0x2011: table.cmap[0x2D]})
font.save(sys.argv[2])
