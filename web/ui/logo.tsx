/** The logo of the site. */
export function Logo({ className }: { className?: string }) {
  return (
    <svg viewBox="0 0 32 32" className={className} aria-hidden>
      <defs>
        <linearGradient id="prism" x1="0" y1="0" x2="1" y2="1">
          <stop stopColor="#2255d5" />
          <stop offset=".55" stopColor="#12a5c9" />
          <stop offset="1" stopColor="#35c98b" />
        </linearGradient>
      </defs>
      <rect width="32" height="32" rx="8" fill="url(#prism)" />
      <path d="M5 23.5 12 13.5l4.6 6.4 3-3.6 6.4 7.2z" fill="#fff" />
      <circle cx="21.5" cy="10.5" r="2.7" fill="#fff" />
    </svg>
  )
}
