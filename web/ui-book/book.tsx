import { useSearch } from 'wouter/use-browser-location';
import styles from './book.module.css';
import { admin } from './admin.tsx';
import { controls } from './controls.tsx';
import { dialogs } from './dialogs.tsx';
import { fields } from './fields.tsx';
import { gallery } from './gallery.tsx';
import { guest } from './guest.tsx';
import { guestGallery } from './guest-gallery.tsx';
import { home } from './home.tsx';
import { host } from './host.tsx';
import { messages } from './messages.tsx';
import { projector } from './projector.tsx';
import { shells } from './shells.tsx';
import type { Group, State } from './state.ts';

const GROUPS: Group[] = [controls, fields, messages, shells, guest, host, gallery, guestGallery, projector, admin, home, dialogs];

/** Shows every component in every state, or with `?state=` a single state. */
export function Book() {
  const chosen = new URLSearchParams(useSearch()).get('state');
  if (chosen === null) return <Everything />;
  const state = GROUPS.flatMap(({ states }) => states).find(({ id }) => id === chosen);
  if (!state) return <p>Es gibt keinen Zustand „{chosen}“.</p>;
  if (!state.alone) {
    return (
      <main className={styles.page}>
        <Specimen state={state} />
      </main>
    );
  }
  // Mounted again for each state, so that input and open dialogs do not carry over.
  return (
    <div key={state.id} className={styles.alone} data-state={state.id}>
      {state.show}
    </div>
  );
}

function Everything() {
  return (
    <main className={styles.page}>
      <header>
        <h1>Bausteine</h1>
        <p className={styles.soft}>Jeder Baustein in jedem Zustand, mit erdachten Daten. Nur in der Entwicklung.</p>
        <nav aria-label="Gruppen" className={styles.links}>
          {GROUPS.map(({ id, title }) => (
            <a key={id} href={`#gruppe-${id}`}>
              {title}
            </a>
          ))}
        </nav>
      </header>
      {GROUPS.map((group) => (
        <GroupSection key={group.id} group={group} />
      ))}
    </main>
  );
}

function GroupSection({ group: { id, title, states } }: { group: Group }) {
  const alone = states.filter((state) => state.alone);
  return (
    <section className={styles.group} aria-labelledby={`gruppe-${id}`}>
      <h2 id={`gruppe-${id}`} className={styles.title}>
        {title}
      </h2>
      {states
        .filter((state) => !state.alone)
        .map((state) => (
          <Specimen key={state.id} state={state} />
        ))}
      {alone.length > 0 && (
        <>
          <p className={styles.soft}>Füllen das Fenster oder liegen darüber, deshalb je für sich:</p>
          <ul className={styles.links}>
            {alone.map((state) => (
              <li key={state.id}>
                <a href={`?state=${state.id}`} data-alone={state.id}>
                  {state.name}
                </a>
              </li>
            ))}
          </ul>
        </>
      )}
    </section>
  );
}

function Specimen({ state: { id, name, show } }: { state: State }) {
  return (
    <div className={styles.specimen}>
      <p className={styles.name}>
        <a href={`?state=${id}`}>{name}</a>
      </p>
      <div data-state={id}>{show}</div>
    </div>
  );
}
