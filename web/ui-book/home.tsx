import { Map } from '../src/pages/contact/contact-page.tsx';
import { Ways } from '../src/pages/create/create-page.tsx';
import { DemoSection, Features, Occasions, Prices, Promises, Steps } from '../src/pages/home/home-page.tsx';
import { JoinCard } from '../src/pages/home/hero.tsx';
import styles from './book.module.css';
import { SITE } from './samples.ts';
import type { Group } from './state.ts';

export const home: Group = {
  id: 'startseite',
  title: 'Startseite und Kontakt',
  states: [
    {
      id: 'join-card',
      name: 'Beitreten',
      show: (
        <div className={styles.narrow}>
          <JoinCard />
        </div>
      ),
    },
    { id: 'promises', name: 'Versprechen', show: <Promises /> },
    { id: 'steps', name: 'Schritte', show: <Steps /> },
    { id: 'demo', name: 'Live-Demo', show: <DemoSection /> },
    { id: 'occasions', name: 'Anlässe', show: <Occasions /> },
    { id: 'features', name: 'Funktionen', show: <Features /> },
    { id: 'prices', name: 'Preise', show: <Prices /> },
    { id: 'ways', name: 'Anfragen', show: <Ways chosen={null} /> },
    { id: 'ways-chosen', name: 'Anfragen, mit gewähltem Paket', show: <Ways chosen="Standard" /> },
    {
      id: 'map',
      name: 'Karte, vor dem Laden',
      show: <Map identity={SITE.business.identity} map={{ lat: 51.163, lon: 10.448, zoom: 6 }} />,
    },
  ],
};
