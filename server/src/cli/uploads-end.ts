import { cleanEventCode } from '@feierbild/contract/event-code.ts';
import { options, type Command } from './command.ts';
import { Failure } from './failures.ts';
import { count } from './german.ts';

export const uploadsEnd: Command = {
  name: 'uploads end',
  parameters: '<Id oder Event-Code>',
  summary: 'beendet eine Übertragung, die nicht fertig ist, oder alle eines Events; wer noch sendet, fängt von vorn an',
  async run(args, { parts, terminal }) {
    const { given } = options(args, { values: [] }, [1, 1]);
    const [what = ''] = given;
    const { uploads } = await parts();
    const open = await uploads.resumable.list();
    const chosen = open.filter(({ id, code }) => id === what.toLowerCase() || code === cleanEventCode(what));
    if (chosen.length === 0) throw new Failure(`Eine offene Übertragung „${what}“ gibt es nicht, auch kein Event mit einer.`);
    for (const upload of chosen) await uploads.resumable.end(upload);
    terminal.print(`${count(chosen.length, 'Übertragung', 'Übertragungen')} beendet.`);
  },
};
