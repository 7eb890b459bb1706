function n(e,m){const t=new Date(typeof e=="number"?e*1e3:e);return Number.isNaN(t.getTime())?String(e):new Intl.DateTimeFormat(m,{dateStyle:"medium",timeStyle:"short"}).format(t)}export{n as m};
