import { askName, askNewPassword } from './ask.ts';
import { positional, type Command } from './command.ts';
import { Failure } from './failures.ts';

export const adminRecover: Command = {
  name: 'admin recover',
  parameters: '[<Benutzername>]',
  summary: 'setzt mit dem Wiederherstellungscode ein neues Passwort, wenn alle verloren sind',
  async run(args, operator) {
    const name = await askName(operator, positional(args, 0, 1)[0]);
    const code = await operator.terminal.ask('Wiederherstellungscode: ', { hidden: true });
    const { admins } = await operator.parts();
    const proof = await admins.proveRecovery(code);
    if (!proof) throw new Failure('Der Wiederherstellungscode stimmt nicht.');
    const password = await askNewPassword(operator);
    if (!(await admins.recover(proof, name, password))) throw new Failure('Der Wiederherstellungscode ist inzwischen verbraucht.');
    operator.terminal.print(`Das neue Passwort von „${name}“ gilt. Der Code ist damit verbraucht: Ein frischer kommt mit „recovery-code“.`);
  },
};
