/**
 * Returns a function that runs `work`, one run at a time. A call during a run makes one more run after it, with null: more than one thing may
 * have happened. A failed run counts as ended.
 */
export function oneAtATime<News>(work: (news: News | null) => Promise<unknown>): (news: News | null) => Promise<void> {
  let isRunning = false;
  let again = false;
  return async (news) => {
    again = isRunning;
    if (isRunning) return;
    isRunning = true;
    for (let next = news; ; next = null) {
      again = false;
      await work(next).catch(() => undefined);
      if (!again) break;
    }
    isRunning = false;
  };
}
