import styles from './title-picture.module.css';

/** An event's title picture across its page. It has no alternative text, because the title says the same. */
export function TitlePicture({ src }: { src: string }) {
  return <img className={styles.picture} src={src} alt="" />;
}
