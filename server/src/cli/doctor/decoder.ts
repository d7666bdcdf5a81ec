import { createDecoder } from '../../images/create-decoder.ts';
import { createLog } from '../../lib/log.ts';
import { INSTALL_AGAIN } from '../../lib/release.ts';
import { single } from '../../lib/stages.ts';
import { bad, caution, good, reason, type Check } from './line.ts';
import { SAMPLES } from './samples.ts';

/** Decodes a photo of either kind with the real processes. */
export const checkDecoder: Check = async function* () {
  const decoder = createDecoder({ processes: 1, log: createLog('silent') });
  try {
    for (const [name, bytes] of Object.entries(SAMPLES)) {
      const about = `Decoder ${name}`;
      try {
        const { width, height } = await decoder.decode(() => single(bytes), bytes.length, { owner: '' });
        yield width === 64 && height === 64 ? good(about, 'liest Fotos.') : bad(about, `liest falsch. ${INSTALL_AGAIN}`);
      } catch (error) {
        yield bad(about, `liest keine Fotos (${reason(error)}). ${INSTALL_AGAIN}`);
      }
    }
    const alone = 'Decoder nicht isoliert. Installieren Sie bubblewrap und erlauben Sie unprivilegierte Namensräume.';
    yield decoder.isolated ? good('Abschottung', 'Die Decoder laufen isoliert.') : caution('Abschottung', alone);
  } finally {
    await decoder.close();
  }
};
