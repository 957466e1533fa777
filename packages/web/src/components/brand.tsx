// The logo.
export function Brand({ size = 22 }: { readonly size?: number }) {
  return (
    <svg width={size} height={size} viewBox="0 0 22 22" aria-hidden="true" fill="currentColor">
      <path d="M6.2 3.2h4.3L6.3 18.8H2z" />
      <path d="M11.9 3.2h4.3L12 18.8H7.7z" />
      <path d="M18.2 3.9h2.6l-3.8 14.2h-2.6z" fill="none" stroke="currentColor" strokeWidth="1.4" />
    </svg>
  )
}
