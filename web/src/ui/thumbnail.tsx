import { useEffect, useState, type ImgHTMLAttributes } from 'react';
import { tryAgain } from '../lib/backoff.ts';

/** A picture that is requested again until it comes, so that an outage leaves no holes. Its place stays empty meanwhile. */
export function Thumbnail({ alt, onError, style, ...picture }: ImgHTMLAttributes<HTMLImageElement>) {
  const [attempt, setAttempt] = useState(0);
  const [failed, setFailed] = useState(false);
  useEffect(() => {
    if (!failed) return;
    return tryAgain(attempt, () => {
      setAttempt(attempt + 1);
      setFailed(false);
    });
  }, [failed, attempt]);
  return (
    <img
      {...picture}
      alt={alt}
      key={attempt}
      style={failed ? { ...style, opacity: 0 } : style}
      // For what is transparent; until the picture has come, its place keeps the page's colour.
      onLoadCapture={(event) => (event.currentTarget.style.background = '#fff')}
      onError={(event) => {
        setFailed(true);
        onError?.(event);
      }}
    />
  );
}
