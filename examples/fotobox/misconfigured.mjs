/** A mistake that only a person can correct: the message says how, and the program ends with 78 (EX_CONFIG). */
export class Misconfigured extends Error {}
