import { askAdmin } from './ask.ts';
import { positional, type Command } from './command.ts';
import { Failure } from './failures.ts';

export const recoveryCode: Command = {
  name: 'recovery-code',
  parameters: '',
  summary: 'zeigt einen frischen Wiederherstellungscode, nur auf einem Terminal; der vorige gilt nicht mehr',
  async run(args, operator) {
    positional(args, 0, 0);
    const { terminal } = operator;
    if (!terminal.interactive)
      throw new Failure('Der Wiederherstellungscode wird nur auf einem Terminal gezeigt, nie in Dateien oder Logs.');
    const by = await askAdmin(operator);
    const code = await (await operator.parts()).admins.createRecoveryCode(by);
    terminal.print(`Wiederherstellungscode: ${code}`);
    terminal.print(
      'Er wird nur jetzt angezeigt und gilt einmal, für „admin recover“. Bewahren Sie ihn auf Papier und getrennt vom Server auf.',
    );
  },
};
