import { sortPhotos, takenTime } from '../web/src/gallery/grid/sorting.ts';
import { layoutGallery } from '../web/src/gallery/grid/masonry.ts';
import { median } from './support/median.ts';
import { promise } from './support/report.ts';

const PHOTOS = 10_000;
const COLUMNS = 5;
const WIDTH = 1200;
const RUNS = 5;
const START = Date.parse('2026-05-17T08:00:00Z');

/** Measures sorting and laying out a gallery of 10,000 photos, without a browser. */
export async function benchGalleryLayout(): Promise<void> {
  const photos = Array.from({ length: PHOTOS }, (_, n) => ({
    id: String(n),
    created_at: new Date(START + n * 7000).toISOString(),
    taken_at: null,
    device: { name: 'Anna' },
    width: 4,
    height: 3,
  }));
  const times = Array.from({ length: RUNS }, () => {
    const started = performance.now();
    layoutGallery(sortPhotos(photos, 'taken', ''), COLUMNS, WIDTH, takenTime);
    return performance.now() - started;
  });
  promise(`${PHOTOS} photos sorted by the camera's time and laid out`, median(times), '<=', 500, ' ms');
}
