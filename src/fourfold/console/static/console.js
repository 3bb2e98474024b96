// What the console adds where scripts run. Every page can be read without it.
"use strict";

// Times stay in UTC, as everybody on call writes them; the reader's own time is one hover away.
for (const time of document.querySelectorAll("time[datetime]")) {
  time.title = new Date(time.dateTime).toLocaleString();
}
