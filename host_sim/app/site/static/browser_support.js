// SPDX-License-Identifier: MIT
// Chooses the language and shows what an old browser lacks. Written for such browsers, in ES5.
(function () {
  var site = self.ROUNDHOUSE;
  var chosen = /[?&]lang=([a-z]+)/.exec(location.search);
  site.language =
    chosen && site.words[chosen[1]] ? chosen[1] : keptLanguage() || preferredLanguage();
  document.documentElement.lang = site.language;
  site.say = function (name, values) {
    var text = site.words[site.language][name];
    for (var key in values || {}) text = text.split("{" + key + "}").join(values[key]);
    return text;
  };
  if (location.protocol === "file:") {
    site.isUnsupported = true;
    document.addEventListener("DOMContentLoaded", function () {
      show(site.say("from_disk"));
    });
    return;
  }
  var missing = [];
  if (!("noModule" in document.createElement("script"))) missing.push("JavaScript modules");
  if (!(self.WebAssembly && WebAssembly.Tag)) missing.push("WebAssembly");
  if (!self.Worker) missing.push("Web Workers");
  if (!self.HTMLDialogElement) missing.push("dialog");
  if (!self.ResizeObserver) missing.push("ResizeObserver");
  if (!missing.length) return;
  site.isUnsupported = true;
  document.addEventListener("DOMContentLoaded", function () {
    show(site.say("old", { what: missing.join(", ") }));
  });

  function show(text) {
    var notice = document.getElementById("notice");
    notice.removeAttribute("hidden");
    notice.textContent = text;
  }

  function keptLanguage() {
    try {
      var language = localStorage.getItem("roundhouse-lang");
      return isWhole(language) ? language : "";
    } catch (error) {
      return "";
    }
  }

  function isWhole(language) {
    return site.whole.indexOf(language) >= 0;
  }

  function preferredLanguage() {
    var languages = navigator.languages || [navigator.language || "en"];
    for (var n = 0; n < languages.length; n++) {
      var language = String(languages[n]).slice(0, 2).toLowerCase();
      if (isWhole(language)) return language;
    }
    return "en";
  }
})();
