import { ChevronLeft, ChevronRight, Heart, LockOpen, Maximize, Pause, Play, QrCode, X } from 'lucide-react';
import { QRCodeSVG } from 'qrcode.react';
import type { ReactNode } from 'react';
import { useEventUrl } from '../../lib/event-url.ts';
import styles from './slideshow.module.css';

interface ControlsProps {
  playing: boolean;
  /** The QR code for guests is shown. */
  inviting: boolean;
  locked: boolean;
  onStep(by: 1 | -1): void;
  onPlay(): void;
  onInvite(): void;
  /** Ends a round of favourites; null where all are shown. */
  onAll: (() => void) | null;
  onLeave(): void;
}

/** Null where there is none: an iPhone shows nothing but videos in full screen. */
function fullScreenOf(root: HTMLElement & { webkitRequestFullscreen?: () => void }): (() => unknown) | null {
  if (document.fullscreenEnabled) return () => root.requestFullscreen().catch(() => undefined);
  // Safari before 16.4.
  const { webkitFullscreenEnabled } = document as Document & { webkitFullscreenEnabled?: boolean };
  return webkitFullscreenEnabled === true ? () => root.webkitRequestFullscreen?.() : null;
}

/** The buttons over the pictures. */
export function Controls({ playing, inviting, locked, onStep, onPlay, onInvite, onAll, onLeave }: ControlsProps) {
  const fullScreen = fullScreenOf(document.documentElement);
  return (
    <div className={styles.controls}>
      <Control label="Vorheriges Foto" onClick={() => onStep(-1)} icon={<ChevronLeft />} />
      <Control label={playing ? 'Pause' : 'Weiter'} onClick={onPlay} icon={playing ? <Pause /> : <Play />} />
      <Control label="Nächstes Foto" onClick={() => onStep(1)} icon={<ChevronRight />} />
      <Control label={inviting ? 'QR-Code ausblenden' : 'QR-Code einblenden'} onClick={onInvite} icon={<QrCode />} />
      {onAll && <Control label="Alle Fotos zeigen" onClick={onAll} icon={<Heart fill="currentColor" />} />}
      {fullScreen && <Control label="Vollbild" onClick={() => void fullScreen()} icon={<Maximize />} />}
      <Control label={locked ? 'Sperre aufheben' : 'Slideshow beenden'} onClick={onLeave} icon={locked ? <LockOpen /> : <X />} />
    </div>
  );
}

/** How guests get to the event. */
export function Invitation({ code, inCorner = false }: { code: string; inCorner?: boolean }) {
  const eventUrl = useEventUrl();
  return (
    <div className={`${styles.invitation} ${inCorner ? styles.corner : ''}`}>
      <QRCodeSVG className={styles.qr} value={eventUrl(code)} title="QR-Code zum Event" />
      <span className={styles.call}>Eure Fotos auf die Leinwand</span>
      <span className={styles.code}>{code}</span>
    </div>
  );
}

function Control({ label, icon, onClick }: { label: string; icon: ReactNode; onClick(): void }) {
  return (
    <button type="button" aria-label={label} title={label} onClick={onClick}>
      {icon}
    </button>
  );
}
