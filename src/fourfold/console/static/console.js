// What the console adds where scripts run. Every page can be read without it.
"use strict";

// What only works with scripts is shown where they run.
document.documentElement.classList.add("scripted");

// Times stay in UTC, as everybody on call writes them; the reader's own time is one hover away.
function withOwnTimes(part) {
  for (const time of part.querySelectorAll("time[datetime]")) {
    time.title = new Date(time.dateTime).toLocaleString();
  }
}
withOwnTimes(document);
document.addEventListener("htmx:load", (event) => withOwnTimes(event.detail.elt));
