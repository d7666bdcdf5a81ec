/** Names an operator's command in the database's list of connections; no node's name has a space. */
export const commandName = (node: string): string => `cli ${node}`;

/** Prefixes of the names there: of nodes and commands, and of commands alone. */
export const OURS = 'feierbild@';
export const COMMANDS = `${OURS}${commandName('')}`;
