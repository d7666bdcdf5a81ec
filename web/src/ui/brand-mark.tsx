/** The sign: a picture with one corner cut, and the spark of a sparkler in it. web/public/zeichen.svg has the same shapes. */
export function BrandMark({ size = 28 }: { size?: number }) {
  return (
    <svg width={size} height={size} viewBox="0 0 32 32" aria-hidden="true">
      <path d="M9 1h13l9 9v13a8 8 0 0 1-8 8H9a8 8 0 0 1-8-8V9a8 8 0 0 1 8-8Z" fill="currentColor" />
      <path
        d="M13.4 13.2 12.6 6.4M17.6 15.2l5.6-5.4M19.2 19.6l6 1M14.6 23.4l1 3.2M9.4 19.4l-3.8 2.2"
        stroke="#fff"
        strokeWidth="2.8"
        strokeLinecap="round"
      />
    </svg>
  );
}
