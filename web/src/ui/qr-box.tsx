import { QRCodeSVG } from 'qrcode.react';
import type { Ref } from 'react';
import styles from './qr-box.module.css';

interface QrBoxProps {
  value: string;
  title: string;
  size: number;
  ref?: Ref<HTMLDivElement>;
}

/** A QR code on white, also on dark surroundings. */
export const QrBox = ({ ref, ...code }: QrBoxProps) => (
  <div className={styles.box} ref={ref}>
    <QRCodeSVG {...code} />
  </div>
);
