import { startEventStoreServer } from '@scriptorium/embedded/eventstore';
import { createStore } from '@scriptorium/event-sourcing';
import { openEventStore } from './dist/event-store.js';
import { team, create, rename, addMember, contextOf } from './dist/test/team.js';
import { rmSync } from 'node:fs';
rmSync('/tmp/es-data-try',{recursive:true,force:true});
let srv = await startEventStoreServer({dataDir:'/tmp/es-data-try'});
const store = createStore({service:'identity', namespace:'n1', eventstoreUrl: srv.url, mongoUrl:'mongodb://127.0.0.1:1', projections:[]});
const t=Date.now();
console.log(await store.handle(team,'t1',contextOf('x',{idem:'k'}),(s)=>create(s,{title:'a',organization:'o'})));
console.log(await store.handle(team,'t1',contextOf('x',{idem:'k'}),(s)=>create(s,{title:'a',organization:'o'})));
console.log(await store.load(team,'t1'), Date.now()-t);
const es = openEventStore(srv.url);
const src = es.subscribe(['n1.identity.team-'], -1n);
console.log(await src.next(100,0)); console.log(await src.next(100,0));
const t0=performance.now(); let n=0;
await Promise.all(Array.from({length:50},async(_,w)=>{ await store.handle(team,'w'+w,contextOf('x'),(s)=>create(s,{title:'a',organization:'o'})); for(let i=0;i<100;i++){ await store.handle(team,'w'+w,contextOf('x'),(s)=>rename(s,{title:'a'+i})); n++; }}));
console.log('writes/s', n/((performance.now()-t0)/1000));
let got=0; while(got<5050){ const b=await src.next(1024,0); got+=b.events.length; } console.log('events', got);
console.log('tail', await es.tail());
const port=srv.port; await srv.stop(); console.log('stopped');
await store.handle(team,'t1',contextOf('x'),(s)=>rename(s,{title:'zz'})).catch(e=>console.log('refused', e.reason, e.message));
await src.next(10,0).catch(e=>console.log('sub', e.reason,e.message));
srv = await startEventStoreServer({dataDir:'/tmp/es-data-try', port});
for (let i=0;i<10;i++){ try { console.log((await store.handle(team,'t1',contextOf('x'),(s)=>rename(s,{title:'zz'}))).revision); break; } catch(e){ console.log('again', e.message); await new Promise(r=>setTimeout(r,300)); } }
await store.erase(team,'t1').catch(e=>console.log('erase', e.reason, e.message));
console.log(await store.load(team,'t1'));
await store.handle(team,'t1',contextOf('x'),(s)=>create(s,{title:'a',organization:'o'})).catch(e=>console.log(e.reason));
process.exit(0)
