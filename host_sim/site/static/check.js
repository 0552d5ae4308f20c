// SPDX-License-Identifier: MIT
// Says plainly what an old browser lacks. Written for those: nothing new is used here.
(function () {
  var site = self.ROUNDHOUSE;
  var asked = /[?&]lang=([a-z]+)/.exec(location.search);
  site.language = asked && site.words[asked[1]] ? asked[1] : kept() || liked();
  document.documentElement.lang = site.language;
  site.say = function (name, values) {
    var text = site.words[site.language][name];
    for (var key in values || {}) text = text.split("{" + key + "}").join(values[key]);
    return text;
  };
  var lacks = [];
  if (!("noModule" in document.createElement("script"))) lacks.push("JavaScript modules");
  if (!(self.WebAssembly && WebAssembly.Tag)) lacks.push("WebAssembly");
  if (!self.Worker) lacks.push("Web Workers");
  if (!self.HTMLDialogElement) lacks.push("dialog");
  if (!self.ResizeObserver) lacks.push("ResizeObserver");
  if (!lacks.length) return;
  site.lacks = lacks;
  document.addEventListener("DOMContentLoaded", function () {
    var told = document.getElementById("wire");
    told.removeAttribute("hidden");
    told.textContent = site.say("old", { what: lacks.join(", ") });
  });

  function kept() {
    try {
      var one = localStorage.getItem("roundhouse-lang");
      return site.words[one] ? one : "";
    } catch (error) {
      return "";
    }
  }

  function liked() {
    var all = navigator.languages || [navigator.language || "en"];
    for (var n = 0; n < all.length; n++) {
      var one = String(all[n]).slice(0, 2).toLowerCase();
      if (site.words[one]) return one;
    }
    return "en";
  }
})();
