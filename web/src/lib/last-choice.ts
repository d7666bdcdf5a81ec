/**
 * Sends choices in order: each thing has one request in flight, and its newest choice follows, so that the last press decides. `show`
 * gets a choice at once, and the stored one in the end.
 */
export function createLastChoice<Choice>(
  send: (id: string, choice: Choice) => Promise<Choice>,
  show: (id: string, choice: Choice) => void,
) {
  const sending = new Map<string, { newest: Choice; done: Promise<void> }>();

  async function sendAll(id: string, task: { newest: Choice }, before: Choice): Promise<void> {
    let stored = before;
    let sent = before;
    try {
      do {
        sent = task.newest;
        stored = await send(id, sent).catch((error: unknown) => {
          if (task.newest === sent) throw error;
          return stored;
        });
      } while (task.newest !== sent);
    } finally {
      sending.delete(id);
      show(id, stored);
    }
  }

  /** Sends a choice; `before` is the stored one. Resolves once the last choice is stored; throws if that one failed. */
  return (id: string, choice: Choice, before: Choice): Promise<void> => {
    show(id, choice);
    const running = sending.get(id);
    if (running) {
      running.newest = choice;
      return running.done;
    }
    const task = { newest: choice, done: Promise.resolve() };
    sending.set(id, task);
    task.done = sendAll(id, task, before);
    return task.done;
  };
}
