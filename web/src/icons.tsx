import type { JSX } from "preact";

const paths = {
  menu: "M3 6h18M3 12h18M3 18h18",
  plus: "M12 5v14M5 12h14",
  send: "M5 12h14M13 6l6 6-6 6",
  stop: "M7 7h10v10H7z",
  close: "M6 6l12 12M18 6L6 18",
  previous: "M15 6l-6 6 6 6",
  next: "M9 6l6 6-6 6",
  copy: "M9 9h11v11H9zM5 15H4V4h11v1",
  up: "M7 11v9H4v-9zM7 11l4-8c1.7 0 2.6 1 2.3 2.6L12.7 9H19c1.2 0 2 1 1.7 2.2l-1.6 7A2.3 2.3 0 0 1 16.9 20H7",
  down: "M7 13V4H4v9zM7 13l4 8c1.7 0 2.6-1 2.3-2.6L12.7 15H19c1.2 0 2-1 1.7-2.2l-1.6-7A2.3 2.3 0 0 0 16.9 4H7",
  pen: "M4 20h4L19 9l-4-4L4 16zM13 7l4 4",
  bin: "M4 7h16M9 7V4h6v3M6 7l1 13h10l1-13",
  check: "M5 12.5l4.5 4.5L19 7.5",
  person: "M12 12a4 4 0 1 0 0-8 4 4 0 0 0 0 8zM4 21c.6-4 3.800-6 8-6s7.400 2 8 6",
  absent: "M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18zM8 12h8",
  warning: "M12 4l9 16H3zM12 10v4M12 17v.5",
  larger: "M10.500 4a6.500 6.500 0 1 0 0 13 6.500 6.500 0 0 0 0-13zM15.500 15.500L21 21M10.500 7.500v6M7.500 10.500h6",
  smaller: "M10.500 4a6.500 6.500 0 1 0 0 13 6.500 6.500 0 0 0 0-13zM15.500 15.500L21 21M7.500 10.500h6",
  fit: "M3 5v14M21 5v14M6 12h12M9 9l-3 3 3 3M15 9l3 3-3 3",
  tab: "M14 4h6v6M20 4l-9 9M18 14v6H4V6h6",
  opened: "M6 9l6 6 6-6",
  books: "M4 4h4v16H4zM10 4h4v16h-4zM16 5l3.500-.800L23 19l-3.500 1z",
  list: "M4 6h2M9 6h11M7 12h2M12 12h8M7 18h2M12 18h8",
  find: "M10.500 4a6.500 6.500 0 1 0 0 13 6.500 6.500 0 0 0 0-13zM15.500 15.500L21 21",
  file: "M6 3h8l5 5v13H6zM14 3v5h5",
  link: "M10 14a4 4 0 0 0 5.700 0l3-3a4 4 0 0 0-5.700-5.700L11.500 6.800M14 10a4 4 0 0 0-5.700 0l-3 3a4 4 0 0 0 5.700 5.700l1.500-1.500",
  again: "M20 11a8 8 0 1 0-2.300 6.500M20 5v6h-6",
} as const;

export type IconName = keyof typeof paths;

export const Icon = ({ name }: { name: IconName }): JSX.Element => (
  <svg class="icon" viewBox="0 0 24 24" aria-hidden="true" focusable="false">
    <path d={paths[name]} />
  </svg>
);
