import { Camera, MonitorPlay } from 'lucide-react';
import { Card } from '../src/cards/card.tsx';
import cards from '../src/cards/cards.module.css';
import dashboard from '../src/pages/manage/dashboard.module.css';
import { DeletionNotice, KeyFigures, PhotoStrip, StorageNotice } from '../src/pages/manage/overview.tsx';
import { LinkCard } from '../src/pages/manage/manage-page.tsx';
import { HUGE, LONG_TITLE, LONG_WORD, NOTHING_YET, NOW, picture, sampleEvent, samplePhoto } from './samples.ts';
import type { Group } from './state.ts';

const STRIP = Array.from({ length: 12 }, (_, n) => {
  const size = n % 3 === 1 ? { width: 300, height: 400 } : { width: 400, height: 300 };
  return samplePhoto(n, { ...size, thumbnail_url: picture(n * 47, size.width, size.height) });
});

const filled = (share: number) => sampleEvent({ bytes: share * 5_000_000_000 });

function card(title: string, password: string | null) {
  return (
    <div className={cards.page} style={{ justifyItems: 'start' }}>
      <div className={cards.sheet} style={{ gridTemplate: '1fr / 1fr', width: 'calc(105 * var(--mm))', height: 'calc(148 * var(--mm))' }}>
        <div className={cards.card} data-design="papier">
          <Card
            event={sampleEvent({ title })}
            password={password}
            gallery={null}
            looks={false}
            design="papier"
            address="ihr"
            second={null}
          />
        </div>
      </div>
    </div>
  );
}

export const host: Group = {
  id: 'gastgeber',
  title: 'Gastgeber',
  states: [
    { id: 'facts-empty', name: 'Zahlen, noch keine Fotos', show: <KeyFigures event={sampleEvent(NOTHING_YET)} now={NOW} /> },
    { id: 'facts', name: 'Zahlen', show: <KeyFigures event={sampleEvent()} now={NOW} /> },
    {
      id: 'facts-previews',
      name: 'Zahlen, Originale unterwegs und nur Vorschauen',
      show: <KeyFigures event={sampleEvent({ previews: { coming: 1, left: 12 } })} now={NOW} />,
    },
    { id: 'facts-nearly', name: 'Zahlen, Speicher fast voll', show: <KeyFigures event={filled(0.96)} now={NOW} /> },
    { id: 'facts-full', name: 'Zahlen, Speicher voll', show: <KeyFigures event={filled(1)} now={NOW} /> },
    {
      id: 'facts-last-day',
      name: 'Zahlen, ein Foto von einem Gerät, letzter Tag',
      show: <KeyFigures event={sampleEvent({ count: 1, device_count: 1, deletion_date: '2026-05-20' })} now={NOW} />,
    },
    { id: 'facts-huge', name: 'Zahlen, sehr große', show: <KeyFigures event={sampleEvent(HUGE)} now={NOW} /> },
    { id: 'photo-strip', name: 'Neueste Fotos', show: <PhotoStrip href="/" counts={{ photos: 1234, videos: 0 }} newest={STRIP} /> },
    {
      id: 'photo-strip-one',
      name: 'Das erste Foto',
      show: <PhotoStrip href="/" counts={{ photos: 1, videos: 0 }} newest={STRIP.slice(0, 1)} />,
    },
    {
      id: 'photo-strip-loading',
      name: 'Neueste Fotos, werden geladen',
      show: <PhotoStrip href="/" counts={{ photos: 1234, videos: 0 }} newest={null} />,
    },
    { id: 'storage-filling', name: 'Speicher zu 80 % belegt', show: <StorageNotice event={filled(0.8)} /> },
    { id: 'storage-nearly', name: 'Speicher fast voll', show: <StorageNotice event={filled(0.97)} /> },
    { id: 'storage-full', name: 'Speicher voll', show: <StorageNotice event={filled(1)} /> },
    {
      id: 'deletion-week',
      name: 'Noch 7 Tage',
      show: <DeletionNotice event={sampleEvent({ deletion_date: '2026-05-26' })} now={NOW} />,
    },
    {
      id: 'deletion-last-day',
      name: 'Letzter Tag',
      show: <DeletionNotice event={sampleEvent({ deletion_date: '2026-05-20' })} now={NOW} />,
    },
    {
      id: 'link-cards',
      name: 'Wege, an und aus',
      show: (
        <div className={dashboard.cards}>
          <LinkCard href="/" icon={<Camera aria-hidden="true" />} title="Hochladen" enabled>
            Eigene Fotos hinzufügen
          </LinkCard>
          <LinkCard href="/" icon={<MonitorPlay aria-hidden="true" />} title="Slideshow" enabled={false}>
            Die Slideshow ist ausgeschaltet
          </LinkCard>
        </div>
      ),
    },
    { id: 'table-card', name: 'Tischkarte', show: card('Lena & Jonas', null) },
    { id: 'table-card-long', name: 'Tischkarte mit 320 Zeichen Titel und langem Passwort', show: card(LONG_TITLE, LONG_WORD.slice(0, 64)) },
  ],
};
