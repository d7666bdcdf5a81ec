import { useCallback, useEffect, useRef, useState, type FormEvent } from 'react';
import { ApiError, messageOf } from '../api/client.ts';
import { refusalText } from '../texts/speech.ts';

/** Sentences about what was typed, by field. */
type Mistakes = Record<string, string>;

/** A form as it is typed, and its sending. What the server refuses by fields is said at these, all else is `failure`. */
export function useForm<Typed extends object>(initial: Typed, onChange?: (name: keyof Typed) => void) {
  const [typed, setTyped] = useState(initial);
  const [mistakes, setMistakes] = useState<Mistakes>({});
  const [sent, setSent] = useState(false);
  /** What the server has. */
  const [kept, setKept] = useState(initial);
  const task = useAction();
  /** Its last refusal; the first field with a mistake gets the focus. */
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

  /** False where something is wrong. */
  function check(found: Mistakes): boolean {
    setMistakes(found);
    setSent(false);
    task.forget();
    return Object.keys(found).length === 0;
  }

  /** Begins anew with `values`; what was typed since this drawing stays. */
  function restart(values: Typed): void {
    // A new one, by which `send` sees that it is kept already.
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
    /** It was sent, and nothing was typed since. */
    sent: sent && !changed,
    /** Something was typed that was not sent, or is still on its way. */
    changed,
    /** Of the field for a text. */
    field: <Name extends keyof Typed & string>(name: Name) => ({
      name,
      value: typed[name],
      error: mistakes[name],
      onChange: ({ target }: { target: { value: string } }) => change(name, target.value as Typed[Name]),
    }),
    /** The form's submit: `work` runs where `found` names no mistakes. */
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

/** Fields in which something stands that the browser cannot read, and gives as empty: half a date. */
export function unreadable(form: HTMLFormElement): Mistakes {
  const fields = [...form.elements].filter((element) => element instanceof HTMLInputElement && element.validity.badInput);
  return Object.fromEntries(fields.map((element) => [(element as HTMLInputElement).name, refusalText('field', UNREADABLE)]));
}
const UNREADABLE = 'Das ist noch nicht vollständig. Bitte ergänzen oder leeren Sie es.';

/** Moves the focus to the first field with a mistake, which is opened where it is folded away. */
export function focusMistake(form: HTMLFormElement): void {
  const field = form.querySelector<HTMLElement>('[aria-invalid=true]');
  for (let box = field?.closest('details'); box; box = box.parentElement?.closest('details')) box.open = true;
  field?.focus();
}

/** Something that a person starts, and that may fail. */
export function useAction() {
  const running = useRef(false);
  const [{ busy, error }, set] = useState<{ busy: boolean; error: unknown }>({ busy: false, error: null });

  /** Starts it, where it does not run already. What `work` throws becomes `error`. */
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
  /** Takes `error` back. */
  const forget = useCallback(() => set((before) => ({ ...before, error: null })), []);
  /** `failure` is `error` as a German sentence, or empty. */
  return { busy, error, failure: error === null ? '' : messageOf(error), run, forget };
}
