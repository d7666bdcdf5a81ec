interface ScreenshotProps {
  /** Of the files below /bilder, made by `npm run pictures`. */
  name: string;
  alt: string;
  /** Of the picture's shape, so that nothing jumps. */
  width: number;
  height: number;
  /** Width of the larger file; there is one of half the width beside it. */
  pixels: number;
}

/** A picture of the running product: AVIF, or WebP where a browser lacks that; in two sizes for phones and screens. */
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
