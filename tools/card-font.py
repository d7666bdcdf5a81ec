# Called by tools/subset-fonts.sh with the folder of the typeface's files and the file to write: one weight, the Latin letters of all
# European languages, as TTF for the decoder process, which draws text with it.
import sys
import tempfile
from pathlib import Path

from fontTools import subset
from fontTools.merge import Merger
from fontTools.ttLib import TTFont
from fontTools.varLib import instancer

source, target = Path(sys.argv[1]), sys.argv[2]
with tempfile.TemporaryDirectory() as folder:
    parts = []
    for part in ("latin", "latin-ext"):
        font = TTFont(source / f"bricolage-grotesque-{part}-wght-normal.woff2")
        font.flavor = None
        parts.append(f"{folder}/{part}.ttf")
        instancer.instantiateVariableFont(font, {"wght": 700}).save(parts[-1])
    font = Merger().merge(parts)
wanted = lambda code: code < 0x250 or 0x1E80 <= code <= 0x1EF9 or 0x2010 <= code <= 0x2026 or code == 0x20AC
options = subset.Options(layout_features=["kern", "ccmp", "locl", "mark"], hinting=False)
cut = subset.Subsetter(options)
cut.populate(unicodes=[code for code in font.getBestCmap() if wanted(code)])
cut.subset(font)
font.save(target)
