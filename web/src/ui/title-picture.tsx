import styles from './title-picture.module.css';

/** An event's title picture, across its page; it says nothing that the title does not. */
export function TitlePicture({ src }: { src: string }) {
  return <img className={styles.picture} src={src} alt="" />;
}
