import { useSite } from '../../lib/use-site.ts';
import { join } from '../../texts.ts';
import { Headline } from '../../ui/headline.tsx';
import { ButtonLink } from '../../ui/button.tsx';
import { JoinForm } from '../../ui/join-form.tsx';
import { demoLogin } from './demo-login.ts';
import styles from './hero.module.css';
import page from './home-page.module.css';
import { Screenshot } from './screenshot.tsx';

/** Three columns of the demo's pictures; width and height so that nothing jumps. */
const COLUMNS = [
  [picture(1), picture(2, true), picture(3)],
  [picture(4), picture(5), picture(6, true)],
  [picture(7), picture(8, true), picture(9)],
];

interface HeroPicture {
  name: string;
  width: number;
  height: number;
}

function picture(n: number, upright = false): HeroPicture {
  return { name: `fest-${n}`, width: upright ? 320 : 480, height: upright ? 480 : 320 };
}

/** What it is, for hosts; for guests, who are most who type the address, the code. */
export function Hero() {
  const { demo } = useSite();
  return (
    <div className={styles.hero}>
      <div className={styles.words}>
        <Headline>
          Alle Fotos vom Fest. <span>An einem Ort.</span>
        </Headline>
        <p>
          Die Gäste scannen den Code auf dem Tisch und schicken ihre Bilder, ohne App und ohne Konto. Sie bekommen jedes Original:
          verschlüsselt gespeichert und nach 30 Tagen gelöscht.
        </p>
        <div className={styles.ways}>
          {demo && <ButtonLink href={demoLogin(demo)}>Demo öffnen</ButtonLink>}
          <ButtonLink href="/create" look="secondary">
            Event anfragen
          </ButtonLink>
        </div>
      </div>
      <div className={styles.guests}>
        <JoinCard />
      </div>
      <div className={styles.scene} aria-hidden="true">
        <div className={styles.columns}>
          {COLUMNS.map((column) => (
            <div key={column[0]?.name}>
              {column.map(({ name, width, height }) => (
                <picture key={name}>
                  <source type="image/avif" srcSet={`/bilder/${name}.avif`} />
                  <img src={`/bilder/${name}.webp`} alt="" width={width} height={height} loading="lazy" decoding="async" />
                </picture>
              ))}
            </div>
          ))}
        </div>
        <div className={styles.phone}>
          <Screenshot name="hochladen" alt="" width={390} height={844} pixels={780} />
        </div>
        <p className={styles.news}>
          <span>✓</span> 12 Fotos von Sofia sind da
        </p>
      </div>
    </div>
  );
}

/** From the code to the event, as on /join. */
export function JoinCard() {
  return <JoinForm className={page.join} head={<h2>{join.title}</h2>} counter="filled" open={join.title} />;
}
