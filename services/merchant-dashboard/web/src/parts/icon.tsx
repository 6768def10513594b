/** Outlines on a grid of 24 × 24, drawn in the colour of the surrounding text. */
const PATHS = {
  mark: 'M12 3a9 9 0 1 0 9 9h-9V3z M15 3.5A9 9 0 0 1 20.5 9H15V3.5z',
  home: 'M4 11l8-7 8 7 M6 10v10h12V10 M10 20v-6h4v6',
  payments: 'M3 7h18v11H3z M3 11h18 M7 15h3',
  coins:
    'M9 4c-3.500 0-6 1-6 2.500S5.500 9 9 9s6-1 6-2.500S12.500 4 9 4z M3 6.500v5C3 13 5.500 14 9 14 M3 11.500v5C3 18 5.500 19 9 19 M15 11c-3.500 0-6 1-6 2.500s2.500 2.500 6 2.500s6-1 6-2.500s-2.500-2.500-6-2.500z M9 13.500v5c0 1.500 2.500 2.500 6 2.500s6-1 6-2.500v-5',
  bell: 'M6 9a6 6 0 0 1 12 0c0 6 2 7 2 7H4s2-1 2-7 M10 20h4',
  list: 'M9 6h11 M9 12h11 M9 18h11 M4 6h1 M4 12h1 M4 18h1',
  clock: 'M12 3a9 9 0 1 0 0 18a9 9 0 0 0 0-18z M12 7v5l3 2',
  card: 'M3 6h18v12H3z M3 10h18',
  code: 'M8 7l-5 5 5 5 M16 7l5 5-5 5 M14 4l-4 16',
  key: 'M14 10a4 4 0 1 0-3.5 4L13 16.500v2h2v2h4v-3.500L13.800 12',
  plug: 'M9 3v5 M15 3v5 M6 8h12v3a6 6 0 0 1-12 0z M12 17v4',
  people:
    'M9 5a3 3 0 1 0 0 6a3 3 0 0 0 0-6z M3 20c0-4 2.500-6 6-6s6 2 6 6 M16 5.500a3 3 0 0 1 0 5.500 M18 14.500c2 .800 3 2.500 3 5.500',
  book: 'M5 4h12a2 2 0 0 1 2 2v14H7a2 2 0 0 1-2-2z M9 9h6 M9 13h6',
  gear: 'M12 9a3 3 0 1 0 0 6a3 3 0 0 0 0-6z M12 3v3 M12 18v3 M3 12h3 M18 12h3 M5.600 5.600l2.100 2.100 M16.300 16.300l2.100 2.100 M18.400 5.600l-2.100 2.100 M7.700 16.300l-2.100 2.100',
  person: 'M12 4a4 4 0 1 0 0 8a4 4 0 0 0 0-8z M4 21c0-4.500 3-7 8-7s8 2.500 8 7',
  sun: 'M12 8a4 4 0 1 0 0 8a4 4 0 0 0 0-8z M12 2v3 M12 19v3 M2 12h3 M19 12h3 M5 5l2 2 M17 17l2 2 M19 5l-2 2 M7 17l-2 2',
  moon: 'M20 14A8.500 8.500 0 1 1 10 4a7 7 0 0 0 10 10z',
  screen: 'M3 5h18v11H3z M8 20h8 M12 16v4',
  leave: 'M14 4H5v16h9 M10 12h11 M17 8l4 4-4 4',
  check: 'M5 13l4.500 4.500L19 7',
  cross: 'M6 6l12 12 M18 6L6 18',
  warning: 'M12 4l9 16H3z M12 10v4 M12 17v.500',
  copy: 'M9 9h11v11H9z M5 15H4V4h11v1',
  refresh:
    'M20 11A8 8 0 0 0 5.500 7L3 9.500 M3 4v5.500h5.500 M4 13a8 8 0 0 0 14.500 4l2.500-2.500 M21 20v-5.500h-5.500',
  arrow: 'M5 12h14 M13 6l6 6-6 6',
  plus: 'M12 5v14 M5 12h14',
  shield: 'M12 3l8 3v6c0 5-3.500 7.500-8 9c-4.500-1.500-8-4-8-9V6z',
  mail: 'M4 6h16v12H4z M4 7l8 6 8-6',
  brush:
    'M20 3c-5 2-9 6-11 10l2.500 2.500C15.500 13 18.500 9 20 3z M9 14c-3 0-4 1.500-4 3.500c0 1.500-.500 2.500-2 3c3 1 8 .500 8-4z',
  search: 'M11 4a7 7 0 1 0 0 14a7 7 0 0 0 0-14z M16 16l5 5',
  star: 'M12 4l2.500 5 5.500.800-4 4 1 5.500-5-2.600-5 2.600 1-5.500-4-4 5.500-.800z',
  download: 'M12 4v11 M7 10l5 5 5-5 M5 20h14',
  external: 'M13 4h7v7 M20 4l-9 9 M18 14v6H4V6h6',
} as const;

export type IconName = keyof typeof PATHS;

/** A decoration beside words, hidden from screen readers. */
export function Icon({ name, size = 18 }: { name: IconName; size?: number }) {
  return (
    <svg
      width={size}
      height={size}
      viewBox="0 0 24 24"
      fill="none"
      stroke="currentColor"
      strokeWidth={1.75}
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden
      className="icon"
    >
      <path d={PATHS[name]} />
    </svg>
  );
}
