// Icons that only this screen has.

Object.assign(ICONS, {
  minus: "M3.5 8h9",
  plus: "M3.5 8h9M8 3.5v9",
  width: "M2 3v10M14 3v10M4.5 8h7M6.5 6l-2 2 2 2M9.5 6l2 2-2 2",
  page: "M4 2.5h8v11H4zM6.5 6h3M6.5 8.5h3",
  block: "M2 5.5h12v5H2zM4.5 8h7M2 2.5h3M11 2.5h3M2 13.5h3M11 13.5h3",
  back: "M6 3 2.5 6.5 6 10M2.5 6.5H9A4.5 4.5 0 0 1 13.5 11v2.5",
  turn: "M12.5 8A4.5 4.5 0 1 1 8 3.5h4M10 1.5l2 2-2 2",
  left: "M2.5 11.5l11-3.5M3.5 5.5c1-2 3-3 5-3M3.5 2.5v3h3",
  right: "M2.5 8l11 3.5M12.5 5.5c-1-2-3-3-5-3M12.5 2.5v3h-3",
  read: "M2.5 5.5v-3h3M10.5 2.5h3v3M13.5 10.5v3h-3M5.5 13.5h-3v-3M5 6.5h6M5 9.5h4",
});
