/** The sign: a lens, and the sparks of a sparkler above it. */
export function BrandMark({ size = 28 }: { size?: number }) {
  return (
    <svg
      width={size}
      height={size}
      viewBox="0 0 32 32"
      fill="none"
      stroke="currentColor"
      strokeWidth="3"
      strokeLinecap="round"
      aria-hidden="true"
    >
      <circle cx="16" cy="20" r="9" />
      <circle cx="16" cy="20" r="3" fill="currentColor" stroke="none" />
      <path d="M16 2v4M26.5 6l-2.8 2.8M5.5 6l2.8 2.8" />
    </svg>
  );
}
