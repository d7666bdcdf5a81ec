/**
 * Sends choices about things in order: of each, one is on its way, and the newest one goes after it, so that the last press decides. `show`
 * gets a choice at once, and in the end what is stored.
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

  /** `before` is stored now. Resolves once the last choice is; throws where that did not arrive. */
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
