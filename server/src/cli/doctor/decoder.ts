import { createDecoder } from '../../images/create-decoder.ts';
import { createLog } from '../../lib/log.ts';
import { single } from '../../lib/stages.ts';
import { INSTALL_AGAIN } from '../../lib/release.ts';
import { line, reason, type Line } from './line.ts';
import { SAMPLES } from './samples.ts';

/** Decodes a photo of either kind with the real processes. */
export async function checkDecoder(): Promise<Line[]> {
  const decoder = createDecoder({ processes: 1, log: createLog('silent') });
  try {
    const lines: Line[] = [];
    for (const [name, bytes] of Object.entries(SAMPLES)) {
      try {
        const { width, height } = await decoder.decode(() => single(bytes), bytes.length, { owner: '' });
        const right = width === 64 && height === 64;
        lines.push(line(`Decoder ${name}`, right ? 'gut' : 'Fehler', right ? 'liest Fotos.' : `liest falsch. ${INSTALL_AGAIN}`));
      } catch (error) {
        lines.push(line(`Decoder ${name}`, 'Fehler', `liest keine Fotos (${reason(error)}). ${INSTALL_AGAIN}`));
      }
    }
    const alone = 'Decoder nicht isoliert. Installieren Sie bubblewrap und erlauben Sie unprivilegierte Namensräume.';
    lines.push(line('Abschottung', decoder.isolated ? 'gut' : 'Achtung', decoder.isolated ? 'Die Decoder laufen isoliert.' : alone));
    return lines;
  } finally {
    await decoder.close();
  }
}
