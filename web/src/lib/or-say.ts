/** Returns what `work` gives. Throws an Error with a sentence to show instead of the browser's own error, whose message is English. */
export const orSay = <T>(sentence: string, work: Promise<T>): Promise<T> =>
  work.catch((cause: unknown) => {
    throw new Error(sentence, { cause });
  });
