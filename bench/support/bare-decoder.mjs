// A decoder without pool, sandbox and protocol: makes a 400 px thumbnail of each picture, one after the other.
import sharp from 'sharp';

sharp.concurrency(1);
sharp.cache(false);
let pictures = [];
process.on('message', async (message) => {
  if (message.pictures) pictures = message.pictures.map((bytes) => Buffer.from(bytes));
  for (let n = 0; n < (message.count ?? 1); n++) {
    await sharp(pictures[n % pictures.length])
      .autoOrient()
      .resize(400, 400, { fit: 'inside', withoutEnlargement: true })
      .webp({ quality: 80, effort: 2 })
      .toBuffer();
  }
  process.send('done');
});
