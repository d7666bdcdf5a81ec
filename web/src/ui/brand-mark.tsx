/** The sign: a picture, and the spark of a sparkler in it. */
export function BrandMark({ size = 28 }: { size?: number }) {
  return (
    <svg width={size} height={size} viewBox="0 0 32 32" aria-hidden="true">
      <rect x="1" y="1" width="30" height="30" rx="9" fill="currentColor" />
      <path
        d="M16 6v6M16 20v6M6 16h6M20 16h6M10 10l2.6 2.6M19.4 19.4 22 22M22 10l-2.6 2.6M12.6 19.4 10 22"
        stroke="#fff"
        strokeWidth="2.6"
        strokeLinecap="round"
      />
    </svg>
  );
}
