// SPDX-License-Identifier: MIT
// Saves what the page sends as a file: a text, an SVG as a PNG of `png` pixels in width, or bytes.
export function download({ name, text, type, png, bytes }) {
  if (png) saveAsPng(name, text, png);
  else save(name, new Blob([bytes ? bytesOf(text) : text], { type }));
}

const bytesOf = (base64) => Uint8Array.from(atob(base64), (sign) => sign.charCodeAt(0));

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
