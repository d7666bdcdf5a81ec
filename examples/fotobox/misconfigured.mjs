/** Only a person can put this right: the message says what, and the program ends with 78 (EX_CONFIG). */
export class Misconfigured extends Error {}
