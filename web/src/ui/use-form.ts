import { useCallback, useEffect, useRef, useState, type FormEvent } from 'react';
import { ApiError, messageOf } from '../api/client.ts';
import { refusalText } from '../texts/speech.ts';

/** Sentences about wrong input, by field. */
type Mistakes = Record<string, string>;

/** Holds a form's input and sends it. The server's refusals of fields are shown at these fields, all other errors in `failure`. */
export function useForm<Typed extends object>(initial: Typed, onChange?: (name: keyof Typed) => void) {
  const [typed, setTyped] = useState(initial);
  const [mistakes, setMistakes] = useState<Mistakes>({});
  const [sent, setSent] = useState(false);
  /** The values that the server has. */
  const [kept, setKept] = useState(initial);
  const task = useAction();
  /** The form that was just refused; its first field with a mistake gets the focus. */
  const [refused, setRefused] = useState<HTMLFormElement | null>(null);
  useEffect(() => {
    if (!refused) return;
    focusMistake(refused);
    setRefused(null);
  }, [refused]);

  function change<Name extends keyof Typed & string>(name: Name, value: Typed[Name]): void {
    setTyped((before) => ({ ...before, [name]: value }));
    setMistakes((before) => ({ ...before, [name]: '' }));
    setSent(false);
    onChange?.(name);
  }

  /** Shows mistakes; returns whether there are none. */
  function check(found: Mistakes): boolean {
    setMistakes(found);
    setSent(false);
    task.forget();
    return Object.keys(found).length === 0;
  }

  /** Begins anew with `values`; text typed since this rendering stays. */
  function restart(values: Typed): void {
    // The copy's identity tells `send` that these values are kept already.
    const begun = { ...values };
    setTyped((now) => (now === typed ? begun : now));
    setKept(begun);
  }

  async function send(form: HTMLFormElement, work: () => Promise<unknown>): Promise<void> {
    try {
      await work();
      setKept((now) => (now === kept ? typed : now));
      setSent(true);
    } catch (error) {
      const fields = error instanceof ApiError ? error.fields : {};
      // The server's texts about fields are German.
      setMistakes(Object.fromEntries(Object.entries(fields).map(([name, text]) => [name, refusalText('field', text)])));
      setRefused(form);
      if (Object.keys(fields).length === 0) throw error;
    }
  }

  const changed = task.busy || JSON.stringify(typed) !== JSON.stringify(kept);
  return {
    ...task,
    typed,
    mistakes,
    setTyped,
    restart,
    change,
    check,
    /** Whether the form was sent, and nothing was typed since. */
    sent: sent && !changed,
    /** Whether some input was not sent, or is still being sent. */
    changed,
    /** Returns the properties of a text field. */
    field: <Name extends keyof Typed & string>(name: Name) => ({
      name,
      value: typed[name],
      error: mistakes[name],
      onChange: ({ target }: { target: { value: string } }) => change(name, target.value as Typed[Name]),
    }),
    /** Makes the form's submit handler: `work` runs if `found` names no mistakes. */
    onSubmit:
      (work: () => Promise<unknown>, found: () => Mistakes = () => ({})) =>
      (event: FormEvent): void => {
        event.preventDefault();
        const form = event.currentTarget as HTMLFormElement;
        if (check({ ...found(), ...unreadable(form) })) void task.run(() => send(form, work));
        else setRefused(form);
      },
  };
}

/** Finds fields whose content the browser cannot read and reports as empty, such as half a date. */
export function unreadable(form: HTMLFormElement): Mistakes {
  const fields = [...form.elements].filter((element) => element instanceof HTMLInputElement && element.validity.badInput);
  return Object.fromEntries(fields.map((element) => [(element as HTMLInputElement).name, refusalText('field', UNREADABLE)]));
}
const UNREADABLE = 'Das ist noch nicht vollständig. Bitte ergänzen oder leeren Sie es.';

/** Moves the focus to the first field with a mistake, and opens the folded parts around it. */
export function focusMistake(form: HTMLFormElement): void {
  const field = form.querySelector<HTMLElement>('[aria-invalid=true]');
  for (let box = field?.closest('details'); box; box = box.parentElement?.closest('details')) box.open = true;
  field?.focus();
}

/** Runs an action that a person starts, and that may fail. */
export function useAction() {
  const running = useRef(false);
  const [{ busy, error }, set] = useState<{ busy: boolean; error: unknown }>({ busy: false, error: null });

  /** Starts `work` unless the action is running. An error of `work` becomes `error`. */
  const run = useCallback(async (work: () => Promise<unknown>): Promise<void> => {
    if (running.current) return;
    running.current = true;
    set({ busy: true, error: null });
    const failed = await work().then(
      () => null,
      (caught: unknown) => caught,
    );
    running.current = false;
    set({ busy: false, error: failed });
  }, []);
  /** Clears `error`. */
  const forget = useCallback(() => set((before) => ({ ...before, error: null })), []);
  /** `failure` is the sentence for `error`, or empty. */
  return { busy, error, failure: error === null ? '' : messageOf(error), run, forget };
}
