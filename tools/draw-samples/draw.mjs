// Draws the demo event's sample pictures; each run gives the same pictures: node tools/draw-samples/draw.mjs [part of a name]
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { crowd, firstDance, sparklingHands } from './dancers.mjs';
import { balloons, bunting, polaroids } from './daylight.mjs';
import { bulbs, fireBowl, mirrorBall } from './feast.mjs';
import { meadow, roses } from './flowers.mjs';
import { toast } from './glasses.mjs';
import { cake, champagne, cocktails, eveningBouquet } from './halls.mjs';
import { develop, randomFrom } from './frame.mjs';
import { candles, garland, lanterns, sparkler } from './lights.mjs';
import { lake, trails } from './nights.mjs';
import { confetti, fireworks, sunset } from './outdoors.mjs';
import { rainAtNight, rainByDay } from './rain.mjs';
import { confettiOnWood, rings, setTable } from './tables.mjs';

const FOLDER = process.env.SAMPLES_OUT ?? join(import.meta.dirname, '../../server/src/features/demo/samples');
/** The pictures in the order of the evening. */
const SCENES = {
  '01-ringe': rings,
  '02-wiese': meadow,
  '03-anstossen': toast,
  '04-wimpel': bunting,
  '05-luftballons': balloons,
  '06-rosen': roses,
  '07-polaroids': polaroids,
  '08-gedeck': setTable,
  '09-regen': rainByDay,
  '10-sonnenuntergang': sunset,
  '11-lichterkette': garland,
  '12-gluehbirnen': bulbs,
  '13-kerzen': candles,
  '14-sekt': champagne,
  '15-torte': cake,
  '16-strauss': eveningBouquet,
  '17-see': lake,
  '18-erster-tanz': firstDance,
  '19-cocktails': cocktails,
  '20-discokugel': mirrorBall,
  '21-konfetti': confetti,
  '22-arme-hoch': crowd,
  '23-regennacht': rainAtNight,
  '24-lichtspuren': trails,
  '25-wunderkerze': sparkler,
  '26-spalier': sparklingHands,
  '27-lampions': lanterns,
  '28-feuerwerk': fireworks,
  '29-feuerschale': fireBowl,
  '30-boden': confettiOnWood,
};

for (const [index, [name, scene]] of Object.entries(SCENES).entries()) {
  if (!name.includes(process.argv[2] ?? '')) continue;
  const random = randomFrom(index + 41);
  const picture = await develop(await scene(random), random);
  writeFileSync(join(FOLDER, `${name}.jpg`), picture);
  console.log(`${name}: ${Math.round(picture.length / 1000)} KB`);
}
