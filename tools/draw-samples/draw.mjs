// Draws the demo event's sample pictures anew, always the same: node tools/draw-samples/draw.mjs [part of a name]
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { develop, randomFrom } from './frame.mjs';
import { candles, garland, lanterns, sparkler } from './lights.mjs';
import { lake, mountains, tent, trails } from './nights.mjs';
import { confetti, fireworks, sunset } from './outdoors.mjs';

const FOLDER = join(import.meta.dirname, '../../server/src/features/demo/samples');
const SCENES = {
  '01-sonnenuntergang': sunset,
  '02-lichterkette': garland,
  '03-kerzen': candles,
  '04-zelt': tent,
  '05-konfetti': confetti,
  '06-lichtspuren': trails,
  '07-wunderkerze': sparkler,
  '08-feuerwerk': fireworks,
  '09-lampions': lanterns,
  '10-berge': mountains,
  '11-see': lake,
};

for (const [index, [name, scene]] of Object.entries(SCENES).entries()) {
  if (!name.includes(process.argv[2] ?? '')) continue;
  const random = randomFrom(index + 41);
  const picture = await develop(await scene(random), random);
  writeFileSync(join(FOLDER, `${name}.jpg`), picture);
  console.log(`${name}: ${Math.round(picture.length / 1000)} KB`);
}
