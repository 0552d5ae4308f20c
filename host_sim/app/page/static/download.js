// SPDX-License-Identifier: MIT
// Saves what the page sends as a file: a text, or an SVG as a PNG of `png` pixels in width.
export function download({ name, text, type, png }) {
  if (png) saveAsPng(name, text, png);
  else save(name, new Blob([text], { type }));
}

function saveAsPng(name, svg, width) {
  const image = new Image();
  image.onload = () => {
    const height = Math.round((width * image.height) / image.width);
    const canvas = Object.assign(document.createElement("canvas"), { width, height });
    canvas.getContext("2d").drawImage(image, 0, 0, width, height);
    canvas.toBlob((blob) => save(name, blob), "image/png");
  };
  image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(svg)}`;
}

function save(name, blob) {
  const href = URL.createObjectURL(blob);
  Object.assign(document.createElement("a"), { href, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(href), 10000);
}
