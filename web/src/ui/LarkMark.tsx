/** The product's mark: a lark on a line of text. */
export const LarkMark = ({ className, size }: { className: string | undefined; size: number }) => (
  <svg
    viewBox="0 0 32 32"
    width={`${size / 16}rem`}
    height={`${size / 16}rem`}
    fill="none"
    stroke="currentColor"
    strokeWidth="2.4"
    strokeLinecap="round"
    strokeLinejoin="round"
    aria-hidden
    className={className}
  >
    <path d="M4 10.5c4 .2 6.400 1.900 8.200 4.600 2.200-4.900 6-7.300 9.800-7.300 2.500 0 4.300 1.100 5 2.900l2.300 1.100-2.500 1c-.6 5.600-4.600 9.400-10.300 9.400-4.200 0-7.300-1.700-8.900-4.600" />
    <path d="M12.200 15.100c1.800 1 4.300 1.100 6.600 0" />
    <path data-line d="M3 27.600h8M15 27.600h4.500M23.500 27.600H29" />
    <circle cx="22.600" cy="11.800" r="1.300" fill="currentColor" stroke="none" />
  </svg>
);
