import { BRIGHTNESS, LAYOUTS, WALL_CODE, type Layout } from '@feierbild/contract/wall.ts';
import type { Photo } from '@feierbild/contract/entities.ts';
import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query';
import { ArrowLeft, Eye, EyeOff, Pause, Play, SkipForward } from 'lucide-react';
import { useRef, useState } from 'react';
import { call, isRefusal, messageOf, type Answer } from '../../api/client.ts';
import { useOrigin } from '../../lib/event-url.ts';
import { formatInstant } from '../../lib/format.ts';
import type { LiveNews } from '../../lib/live.ts';
import { useLive } from '../../lib/use-live.ts';
import { Button, ButtonLink } from '../../ui/button.tsx';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { Headline } from '../../ui/headline.tsx';
import { HostPage } from '../../ui/host-page.tsx';
import { Loaded } from '../../ui/loaded.tsx';
import { Notice } from '../../ui/notice.tsx';
import { PageShell } from '../../ui/page-shell.tsx';
import { ShareLink } from '../../ui/share-link.tsx';
import { Switch } from '../../ui/switch.tsx';
import { useAction } from '../../ui/use-form.ts';
import { Choices, newestQuery } from './choices.tsx';
import styles from './remote.module.css';

type ChosenWall = Answer<'GET /api/events/:ref/wall'>;
type WallLink = Answer<'GET /api/events/:ref/wall/link'>;

const LAYOUT_NAMES: Record<Layout, string> = {
  single: 'Jedes Foto allein',
  pairs: 'Hochformate zu zweit',
  collage: 'Mehrere auf einmal',
  mixed: 'Im Wechsel',
};
/** Pause between reads: no live news reports a change that another phone makes before the live connection is open. */
const POLL_MS = 10_000;

export const wallQuery = (code: string) =>
  queryOptions({
    queryKey: ['wall', code],
    refetchInterval: POLL_MS,
    queryFn: async ({ client, queryKey }) => {
      const asked = client.getQueryData<ChosenWall>(queryKey);
      const answer = await call('GET /api/events/:ref/wall', { params: { ref: code } });
      const before = client.getQueryData<ChosenWall>(queryKey);
      // An answer may be older than that to a press made meanwhile; after a restored backup, a newer one has a lower number.
      return before && before !== asked && before.version > answer.version ? before : answer;
    },
  });

const linkQuery = (code: string) =>
  queryOptions({ queryKey: ['wall-link', code], queryFn: () => call('GET /api/events/:ref/wall/link', { params: { ref: code } }) });

/** Repeats a failed read of what is not polled. */
const untilRead = { refetchInterval: ({ state }: { state: { error: unknown } }) => (state.error ? POLL_MS : false) };

/** /manage/{code}/leinwand: the host's phone as the wall's remote control. */
export default function RemotePage({ code }: { code: string }) {
  return <HostPage code={code}>{({ code: own, title }) => <Remote code={own} title={title} />}</HostPage>;
}

function Remote({ code, title }: { code: string; title: string }) {
  const wall = useQuery(wallQuery(code));
  const newest = useQuery({ ...newestQuery(code), ...untilRead });
  const link = useQuery({ ...linkQuery(code), ...untilRead });
  // A change of the event may be another phone's, which has replaced or ended the link.
  const changedBy = (news: LiveNews | null) => (!news || news.wall ? [newest, wall, link] : [newest]);
  useLive(code, (news) => Promise.all(changedBy(news).map((read) => read.refetch())));
  const failure = wall.error ?? newest.error ?? link.error;
  /** The last failure until all is read: a query without data forgets its own at each attempt. */
  const [error, setError] = useState(failure);
  const isOver = [wall, newest, link].every((read) => read.isSuccess);
  if (failure !== error && (failure !== null || isOver)) setError(failure);
  const refetch = () => Promise.all([wall, newest, link].map((read) => read.refetch()));
  return (
    <PageShell
      width="narrow"
      actions={
        <ButtonLink look="quiet" href={`/manage/${code}`}>
          <ArrowLeft size={20} /> Zum Event
        </ButtonLink>
      }
    >
      <div className={styles.remote}>
        <Headline>Fernbedienung</Headline>
        <Loaded query={{ data: wall.data, error, refetch }}>
          {(chosen) => <Keys code={code} wall={chosen} isCurrent={error === null} newest={newest.data} />}
        </Loaded>
        <Screens code={code} title={title} link={link.data} />
      </div>
    </PageShell>
  );
}

type Press = Partial<Omit<ChosenWall, 'version' | 'steps' | 'guests' | 'loved'>> & { next?: true };

/**
 * Sends presses one after the other, each based on the answer to the one before. `chosen`: the choices of unanswered presses, which are
 * shown at once.
 */
function usePresses(code: string, { version }: ChosenWall) {
  const queries = useQueryClient();
  const { busy, error, run } = useAction();
  const waiting = useRef<Press[]>([]);
  const [chosen, setChosen] = useState<Press>({});
  const press = (change: Press): void => {
    waiting.current.push(change);
    setChosen((before) => ({ ...before, ...change, ...(change.next && { photo: null }) }));
    // A running task sends this press, too.
    void run(async () => {
      const { queryKey } = wallQuery(code);
      try {
        let known = version;
        for (let next = waiting.current.shift(); next; next = waiting.current.shift()) {
          const fresh = await call('PUT /api/events/:ref/wall', { params: { ref: code }, body: { ...next, version: known } });
          known = fresh.version;
          queries.setQueryData<ChosenWall>(queryKey, (before) => before && (before.version > known ? before : { ...before, ...fresh }));
        }
      } catch (failure) {
        // Another phone was first: its choice is shown, and not undone.
        await queries.invalidateQueries({ queryKey });
        throw failure;
      } finally {
        waiting.current = [];
        setChosen({});
      }
    });
  };
  return { busy, error, chosen, press };
}

interface KeysProps {
  code: string;
  wall: ChosenWall;
  /** Whether the last reads succeeded. */
  isCurrent: boolean;
  newest: readonly Photo[] | undefined;
}

/** Shows the walls' state, and the keys that change it. */
function Keys({ code, wall: known, isCurrent, newest }: KeysProps) {
  const { busy, error, chosen, press: set } = usePresses(code, known);
  const wall = { ...known, ...chosen };
  return (
    <>
      <Missed error={error} isCurrent={isCurrent} />
      <div className={styles.keys} aria-busy={busy}>
        <Button onClick={() => set({ paused: !wall.paused })}>
          {wall.paused ? <Play size={22} /> : <Pause size={22} />} {wall.paused ? 'Weiter' : 'Pause'}
        </Button>
        <Button onClick={() => set({ next: true })}>
          <SkipForward size={22} /> Nächstes
        </Button>
        <Button look={wall.curtain ? 'primary' : 'secondary'} aria-pressed={wall.curtain} onClick={() => set({ curtain: !wall.curtain })}>
          {wall.curtain ? <Eye size={22} /> : <EyeOff size={22} />} {wall.curtain ? 'Vorhang auf' : 'Vorhang zu'}
        </Button>
      </div>
      {newest && <Choices newest={newest} chosen={wall.photo} onChoose={(photo) => set({ photo })} />}
      <section className={styles.panel} aria-labelledby="looks">
        <h2 id="looks">So sieht es aus</h2>
        <fieldset className={`bare ${styles.layouts}`}>
          <legend>Anordnung</legend>
          {LAYOUTS.map((layout) => (
            <label key={layout}>
              <input type="radio" name="layout" checked={wall.layout === layout} onChange={() => set({ layout })} />
              {LAYOUT_NAMES[layout]}
            </label>
          ))}
        </fieldset>
        <Switch label="QR-Code für Gäste" checked={wall.qr} onChange={(qr) => set({ qr })} />
        <Switch
          label="Nur Lieblinge"
          hint="Die Fotos mit Herzen, das beliebteste zuletzt. Ohne Herzen laufen alle."
          checked={wall.favourites}
          onChange={(favourites) => set({ favourites })}
        />
        <Switch
          label="Volle Auflösung auf 4K-Bildschirmen"
          hint="Wo ein Bildschirm mehr Bildpunkte hat als unsere Vorschau. Braucht eine gute Leitung; Fernseher mit 1920 × 1080 betrifft es nicht."
          checked={wall.large}
          onChange={(large) => set({ large })}
        />
        <Brightness value={wall.brightness} onChange={(brightness) => set({ brightness })} />
      </section>
    </>
  );
}

/** Says why a press had no effect. */
function Missed({ error, isCurrent }: { error: unknown; isCurrent: boolean }) {
  const isCut = isRefusal(error, 'no_connection', 'not_ours');
  // While there is no connection, the failed read says so.
  if (error === null || (isCut && !isCurrent)) return null;
  if (isCut) return <Notice kind="info">Die Verbindung war weg. So ist es jetzt.</Notice>;
  if (isRefusal(error, 'event_changed')) return <Notice kind="info">Ein anderes Handy war schneller. So ist es jetzt.</Notice>;
  return <Notice kind="error">{messageOf(error)}</Notice>;
}

/** A slider that sends its value when it is released, because each step would be a change of its own. A scrolling touch sends nothing. */
function Brightness({ value, onChange }: { value: number; onChange(value: number): void }) {
  const [drawn, setDrawn] = useState<number | null>(null);
  const send = (): void => {
    if (drawn !== null && drawn !== value) onChange(drawn);
    setDrawn(null);
  };
  return (
    <label className={styles.brightness}>
      Helligkeit: {drawn ?? value} %
      <input
        type="range"
        min={BRIGHTNESS.least}
        max={BRIGHTNESS.most}
        step={5}
        value={drawn ?? value}
        onChange={({ target }) => setDrawn(Number(target.value))}
        onPointerUp={send}
        onPointerCancel={() => setDrawn(null)}
        onKeyUp={send}
        onBlur={send}
      />
    </label>
  );
}

/** Offers two ways to show the slideshow on somebody else's screen: a link, and a code to type. */
function Screens({ code, title, link }: { code: string; title: string; link: WallLink | undefined }) {
  const origin = useOrigin();
  const queries = useQueryClient();
  const [typed, setTyped] = useState<Answer<'POST /api/events/:ref/wall/code'> | null>(null);
  const [ending, setEnding] = useState(false);
  const { busy, error, run } = useAction();
  const setLink = async (value: boolean): Promise<void> => {
    queries.setQueryData(
      linkQuery(code).queryKey,
      await call('POST /api/events/:ref/wall/link', { params: { ref: code }, body: { value, keep: value } }),
    );
  };
  return (
    <section className={styles.panel} aria-labelledby="screens">
      <h2 id="screens">Fernseher, Beamer, DJ</h2>
      <p className="soft">
        Link und Code öffnen die Slideshow und nichts anderes, ohne Ihr Passwort. Alles davon endet mit dem Event oder sobald Sie es
        beenden.
      </p>
      {typed && (
        <p role="status">
          Am Fernseher <strong translate="no">{`${new URL(origin).host}/tv`}</strong> öffnen und eintippen:
          <span className={styles.typed} translate="no" style={{ display: 'block' }}>
            {typed.code.replace(/(.{4})(?=.)/g, '$1 ')}
          </span>
          Gilt einmal, bis {formatInstant(typed.expires_at)}. Ein neuer Code ersetzt ihn.
        </p>
      )}
      <Button
        look="secondary"
        busy={busy}
        onClick={() => void run(async () => setTyped(await call('POST /api/events/:ref/wall/code', { params: { ref: code } })))}
      >
        {typed ? 'Code für einen weiteren Bildschirm' : `Code zum Eintippen (${WALL_CODE.minutes} Minuten)`}
      </Button>
      {link?.url && <ShareLink url={origin + link.url} title={title} />}
      {link && !link.url && (
        <Button look="secondary" busy={busy} onClick={() => void run(() => setLink(true))}>
          Link machen
        </Button>
      )}
      {error !== null && <Notice kind="error">{messageOf(error)}</Notice>}
      <Button look="quiet" onClick={() => setEnding(true)}>
        Alle Leinwände abmelden …
      </Button>
      {ending && (
        <ConfirmDialog
          title="Alle Leinwände abmelden?"
          confirm="Abmelden"
          onClose={() => setEnding(false)}
          onConfirm={async () => {
            await setLink(false);
            setTyped(null);
            setEnding(false);
          }}
        >
          <p>Link und Code gelten dann nicht mehr, und jeder Bildschirm ohne Ihr Passwort hört auf, auch eine gesperrte Slideshow.</p>
        </ConfirmDialog>
      )}
    </section>
  );
}
