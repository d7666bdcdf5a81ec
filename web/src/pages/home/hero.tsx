import { useSite } from '../../lib/use-site.ts';
import { join } from '../../texts.ts';
import { ButtonLink } from '../../ui/button.tsx';
import { Headline } from '../../ui/headline.tsx';
import { JoinForm } from '../../ui/join-form.tsx';
import styles from './hero.module.css';
import shared from './home-page.module.css';

/** The demo's pictures in three columns. */
const COLUMNS = [
  [1, 2, 3],
  [4, 5, 6],
  [7, 8, 9],
];
/** The pictures in portrait format. */
const UPRIGHT = [2, 6, 8];

/** The top of the page: the product for hosts, and the field for the code for guests, who most often type the address. */
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
            <div key={column[0]}>
              {column.map((n) => {
                // Width and height are given so that nothing jumps.
                const [width, height] = UPRIGHT.includes(n) ? [320, 480] : [480, 320];
                return (
                  <picture key={n}>
                    <source type="image/avif" srcSet={`/bilder/fest-${n}.avif`} />
                    <img src={`/bilder/fest-${n}.webp`} alt="" width={width} height={height} loading="lazy" decoding="async" />
                  </picture>
                );
              })}
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

/** The form that leads from the code to the event, as on /join. */
export function JoinCard() {
  return <JoinForm className={shared.join} head={<h2>{join.title}</h2>} counter="filled" open={join.title} />;
}

interface ScreenshotProps {
  /** Name of the files below /bilder, made by `npm run pictures`. */
  name: string;
  alt: string;
  /** Width and height give the picture's shape, so that nothing jumps. */
  width: number;
  height: number;
  /** Width of the larger file, pixels; the smaller file has half of it. */
  pixels: number;
}

/** A picture of the running product: AVIF, or WebP for browsers without it; in two sizes for phones and screens. */
export function Screenshot({ name, alt, width, height, pixels }: ScreenshotProps) {
  const sources = (type: string): string => `/bilder/${name}-klein.${type} ${pixels / 2}w, /bilder/${name}.${type} ${pixels}w`;
  const sizes = width > height ? '(min-width: 1280px) 740px, (min-width: 860px) 58vw, 92vw' : '(min-width: 860px) 300px, 60vw';
  return (
    <picture>
      <source type="image/avif" srcSet={sources('avif')} sizes={sizes} />
      <img
        src={`/bilder/${name}.webp`}
        srcSet={sources('webp')}
        sizes={sizes}
        alt={alt}
        width={width}
        height={height}
        loading="lazy"
        decoding="async"
      />
    </picture>
  );
}

/** Returns the address of the login page with the demo's public code and password filled in. */
export function demoLogin({ code, password }: { code: string; password: string }): string {
  return `/login?${new URLSearchParams({ username: code, password }).toString()}`;
}
